"""The languages: their words and pages, a build for each, notices at what is not up to date."""
