"""Keep the translated editions in step with the English one, cell by cell.

A translation is free in its words and bound in everything else. `read` takes pages apart and says
which passages are fresh, stale or untranslated; `terms` and `numerals` know the words that are
agreed; `check` finds what has to be repaired; `sync` carries over what is the same in every
language, `stamp` records that a text follows the English one, `outputs` proves what a
translated notebook prints from what the English one prints, and `start` begins an edition.
"""
