"""The data that chapters, figures, pictures, exercises and tests share."""
