"""
The JSON API of the review page.

`claims` has the endpoints, `schemas` the types of requests and responses, and `openapi` the document that describes
them, with the endpoints for operators.
"""
