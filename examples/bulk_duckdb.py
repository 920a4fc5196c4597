"""Quotes in DuckDB: the result of a query, grounded batch by batch, and queried again."""

import duckdb
import pyarrow as pa

from groundwire.bulk import ground_table

database = duckdb.connect()
database.execute("CREATE TABLE quotes (quote VARCHAR, interview INTEGER)")
database.execute("INSERT INTO quotes VALUES ('i can''t sleep', 1), ('I feel hopeless', 1), ('take 15 mg', 2)")
database.execute("CREATE TABLE interviews (id INTEGER, text VARCHAR)")
database.execute("INSERT INTO interviews VALUES (1, 'Anna: I can’t  sleep at night.'), (2, 'Ben: Take 15 mg of it.')")

joined = database.sql("SELECT quote, interview, text AS source FROM quotes JOIN interviews ON interview = id")
grounded = pa.table(ground_table(joined))
rates = database.sql(
    "SELECT interview, avg(grounded::INTEGER) AS rate FROM grounded GROUP BY interview ORDER BY interview"
)
print(rates)
assert rates.fetchall() == [(1, 0.5), (2, 1.0)]
