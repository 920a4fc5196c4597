"""What PostgreSQL's catalogue says of the schema `groundwire`, and what it says after the migrations alone."""

from importlib.resources import files

__all__ = ["CATALOGUE", "MIGRATED"]

MIGRATED = files("groundwire.memory") / "migrations" / "postgres_schema.tsv"
"""The rows of `CATALOGUE` after all migrations, a line each. A test compares it with a new database."""

# Three texts a row: kind, name, definition. NOT NULL is told with its column: only newer servers list it as a
# constraint as well. The namespace is chosen in each part, for a tampered search path must not hide any of them.
CATALOGUE = """
WITH ours AS (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = 'groundwire'),
relations AS (SELECT * FROM pg_catalog.pg_class WHERE relnamespace IN (SELECT oid FROM ours))
SELECT 'relation', relname::text, concat_ws(
    ' ', relkind, relpersistence, relrowsecurity, relforcerowsecurity, relispartition
)
FROM relations
UNION ALL
SELECT 'column', relname || '.' || attname, concat_ws(
    ' ', pg_catalog.format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated,
    coalesce(pg_catalog.pg_get_expr(adbin, adrelid), '-'),
    (SELECT collname FROM pg_catalog.pg_collation WHERE pg_collation.oid = attcollation)
)
FROM relations JOIN pg_catalog.pg_attribute ON attrelid = relations.oid
LEFT JOIN pg_catalog.pg_attrdef ON adrelid = attrelid AND adnum = attnum
WHERE attnum > 0 AND NOT attisdropped AND relkind <> 'i'
UNION ALL
SELECT 'constraint', relname || '.' || conname, concat_ws(
    ' ', contype, convalidated, pg_catalog.pg_get_constraintdef(pg_constraint.oid)
)
FROM relations JOIN pg_catalog.pg_constraint ON conrelid = relations.oid WHERE contype <> 'n'
UNION ALL
SELECT 'index', relname::text, concat_ws(' ', indisvalid, indisready, pg_catalog.pg_get_indexdef(indexrelid))
FROM relations JOIN pg_catalog.pg_index ON indexrelid = relations.oid
UNION ALL
SELECT 'trigger', relname || '.' || tgname, concat_ws(' ', tgenabled, pg_catalog.pg_get_triggerdef(pg_trigger.oid))
FROM relations JOIN pg_catalog.pg_trigger ON tgrelid = relations.oid
UNION ALL
SELECT 'rule', relname || '.' || rulename, concat_ws(' ', ev_enabled, pg_catalog.pg_get_ruledef(pg_rewrite.oid))
FROM relations JOIN pg_catalog.pg_rewrite ON ev_class = relations.oid
UNION ALL
SELECT 'policy', relname || '.' || polname, polcmd::text
FROM relations JOIN pg_catalog.pg_policy ON polrelid = relations.oid
UNION ALL
SELECT 'parent', relname::text, inhparent::regclass::text
FROM relations JOIN pg_catalog.pg_inherits ON inhrelid = relations.oid OR inhparent = relations.oid
UNION ALL
SELECT 'function', proname::text, concat_ws(' ', prokind, pg_catalog.pg_get_function_identity_arguments(oid), prosrc)
FROM pg_catalog.pg_proc WHERE pronamespace IN (SELECT oid FROM ours)
UNION ALL
SELECT 'type', typname::text, typtype::text
FROM pg_catalog.pg_type WHERE typnamespace IN (SELECT oid FROM ours) AND typrelid = 0 AND typcategory <> 'A'
UNION ALL
SELECT 'operator', oprname::text, oprcode::text
FROM pg_catalog.pg_operator WHERE oprnamespace IN (SELECT oid FROM ours)
UNION ALL
SELECT 'statistics', stxname::text, '' FROM pg_catalog.pg_statistic_ext WHERE stxnamespace IN (SELECT oid FROM ours)
ORDER BY 1, 2, 3
"""
