import type { Knex } from 'knex';

/** Who owns what, and the keys that open it. Keys are kept as SHA-256 only. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table accounts (
      id bigint generated always as identity primary key,
      name text not null,
      created_at timestamptz not null default now()
    );

    create table environments (
      id bigint generated always as identity primary key,
      account_id bigint not null references accounts (id) on delete cascade,
      uuid uuid not null unique default gen_random_uuid(),
      name text not null,
      is_production boolean not null default false,
      callback_url text,
      webhook_url text,
      webhook_url_secondary text,
      webhook_secret bytea,
      on_new_connection boolean not null default false,
      on_refresh boolean not null default false,
      on_deletion boolean not null default false,
      created_at timestamptz not null default now(),
      unique (account_id, name)
    );

    create table environment_variables (
      environment_id bigint not null references environments (id) on delete cascade,
      name text not null,
      value bytea not null,
      primary key (environment_id, name)
    );

    -- environment_id null: a key of the account plane
    create table api_keys (
      id bigint generated always as identity primary key,
      account_id bigint not null references accounts (id) on delete cascade,
      environment_id bigint references environments (id) on delete cascade,
      name text not null,
      secret_hash bytea not null unique,
      scopes text[] not null,
      created_at timestamptz not null default now(),
      revoked_at timestamptz
    );
    create unique index api_keys_name on api_keys (account_id, coalesce(environment_id, 0), name) where revoked_at is null;

    -- one known text per encryption key: proves at start that the ring holds the right ones
    create table encryption_keys (
      key_id text primary key,
      canary bytea not null,
      created_at timestamptz not null default now()
    );
  `);
}
