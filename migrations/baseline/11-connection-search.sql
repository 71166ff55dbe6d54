-- For searching connections by a part of their ID or of whose they are: trigrams of all these texts, one on each line. A server that
-- has no `pg_trgm`, or does not let us create it, goes without; there a search reads the environment's connections.
do $$
begin
  create extension if not exists pg_trgm;
exception when others then
  -- Who forbids it says so in many ways.
  raise notice 'no pg_trgm: %', sqlerrm;
end $$;

do $$
declare
  -- It may have been created before, in a schema that is not searched.
  home text := (select quote_ident(nspname) from pg_extension e join pg_namespace n on n.oid = e.extnamespace
                where extname = 'pg_trgm');
begin
  if home is null then return; end if;
  execute 'create index connections_search on connections using gin ((' || $text$
    connection_id
    || E'\n' || coalesce(end_user ->> 'display_name', '') || E'\n' || coalesce(end_user ->> 'email', '')
    || E'\n' || coalesce(tags ->> 'end_user_display_name', '') || E'\n' || coalesce(tags ->> 'end_user_email', '')
    $text$ || ') ' || home || '.gin_trgm_ops) where deleted_at is null';
end $$;
