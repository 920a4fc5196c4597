"""
The HTML pages of the review page.

`claims` shows the list and single claims, `decisions` handles decisions, and `memories` shows, revokes and exports
memories. `layout` has the parts of all pages, preferences and signing in.
"""
