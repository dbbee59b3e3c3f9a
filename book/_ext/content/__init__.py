"""What stands on a page: folds, tabs, formulas, pictures, figures, lists of terms and of names."""
