create table refreshes (
  connection_id bigint primary key references connections on delete cascade,
  environment_id bigint not null,
  generation integer not null,
  due_at timestamptz,
  token_origin text not null,
  owner text,
  leased_at timestamptz,
  lease_until timestamptz
) with (fillfactor = 70);
comment on table refreshes is 'When the credentials of a connection are refreshed or verified, and who is at it: narrow, since every refresh writes it three times.';
create index refreshes_due on refreshes (due_at)
  where owner is null;
create index refreshes_leased on refreshes (token_origin, leased_at)
  where owner is not null;
