"""nbgrader's settings of a course; `make student` puts them into its folder.

Source of the names: https://nbgrader.readthedocs.io/en/stable/configuration/config_options.html
"""

c = get_config()  # type: ignore[name-defined] # noqa: F821
c.CourseDirectory.course_id = "attention"
c.IncludeHeaderFooter.header = ""
# The stub stands above the marks, and so does the question to be answered in words.
c.ClearSolutions.code_stub = {"python": ""}
c.ClearSolutions.text_stub = ""
c.ExecutePreprocessor.timeout = 120
c.ExecutePreprocessor.interrupt_on_timeout = True
