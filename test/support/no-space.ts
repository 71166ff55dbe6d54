import type { Knex } from 'knex';

/** Makes the creation of every integration fail as on a full disk, until `giveSpace` is called. */
export async function takeSpace(db: Knex): Promise<void> {
  await db.raw(`
    create function no_space() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`);
  await db.raw('create trigger no_space before insert on integrations execute function no_space()');
}

export async function giveSpace(db: Knex): Promise<void> {
  await db.raw('drop function no_space cascade');
}
