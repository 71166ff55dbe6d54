create table instances (
  id text primary key,
  backend_pid integer not null,
  backend_start timestamptz not null,
  server_start timestamptz not null,
  registered_at timestamptz not null default now(),
  outbound_allow jsonb
);
comment on table instances is 'Processes of the service, each known by its session of the database.';

create table schedules (
  name text primary key,
  due_at timestamptz not null default now()
);
comment on table schedules is 'Work that is repeated for ever, each time on one instance.';

create table encryption_keys (
  key_id text primary key,
  canary bytea not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz,
  unneeded_at timestamptz
);
comment on table encryption_keys is 'Every key that was ever used, with a proof that the ring has the right one.';

create table key_reports (
  instance_id text primary key,
  key_ids text[] not null,
  current_key_id text not null,
  reported_at timestamptz not null default clock_timestamp()
);
comment on table key_reports is 'Which keys each running instance has, for rotations.';
