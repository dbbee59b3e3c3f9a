"""Questions for learning platforms: `make quiz SEED=2027`, two files a language.

`questions` has what is asked, in HTML: the bets of all figures, and exercises whose answer is a
number, with numbers that the seed draws. `moodle` and `qti` write it down in two formats.
"""
