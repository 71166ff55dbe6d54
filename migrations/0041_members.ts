import type { Knex } from 'knex';

/** Who signs in to the dashboard: members of an account, their sessions, one-time links, and failures to sign in. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table members (
      id bigint generated always as identity primary key,
      account_id bigint not null references accounts (id) on delete cascade,
      name text not null,
      email text not null,
      role text not null check (role in ('viewer', 'developer', 'admin')),
      password text,
      oidc_issuer text,
      oidc_subject text,
      created_at timestamptz not null default now()
    );
    create unique index members_email on members (email);
    create unique index members_oidc on members (oidc_issuer, oidc_subject);
    create index members_account on members (account_id, id);

    create table member_sessions (
      id bigint generated always as identity primary key,
      member_id bigint not null references members (id) on delete cascade,
      token_hash bytea not null unique,
      address text not null,
      user_agent text not null,
      created_at timestamptz not null,
      last_seen_at timestamptz not null,
      idle_seconds integer not null,
      expires_at timestamptz not null,
      confirmed_until timestamptz
    );
    create index member_sessions_member on member_sessions (member_id);

    create table member_links (
      token_hash bytea primary key,
      kind text not null check (kind in ('setup', 'invitation', 'password')),
      account_id bigint not null references accounts (id) on delete cascade,
      member_id bigint references members (id) on delete cascade,
      email text,
      role text,
      expires_at timestamptz not null
    );

    create table sign_in_attempts (
      key_hash bytea primary key,
      count integer not null,
      window_ends_at timestamptz not null
    );
  `);
}
