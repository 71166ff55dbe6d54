import { once } from 'node:events';
import { parseArgs } from 'node:util';
import type { AuditFilter } from '../journal/audit-trail/audit-store.ts';
import { recordAudit } from '../journal/audit-trail/record.ts';
import { auditLines } from '../journal/audit-trail/trail.ts';
import { type AuditFault, verifyAudit } from '../journal/audit-trail/verify.ts';
import { writeNew } from '../kit/new-file.ts';
import { escapeUnsafe } from '../kit/unsafe-characters.ts';
import { firstAccountId } from '../tenants/environments/environment-store.ts';
import { accountContext } from './audit-context.ts';
import { type CommandContext, openContext } from './command-context.ts';
import { commandError, printObject, usageError } from './output.ts';

const TEXT = { type: 'string' } as const;

const FAULTS: Readonly<Record<AuditFault, string>> = {
  altered: 'was changed after it was written',
  missing: 'is missing',
  reordered: 'is not at the position where it was written',
  cut_off: 'is missing, with all entries after it',
  end_altered: 'is not the last one that was written: the record of the end of the trail was changed',
};

/** `audit verify`, `audit anchor`, `audit export`: commands for the trail of what people, keys and commands have done. */
export async function auditCommand([action, ...rest]: readonly string[]): Promise<void> {
  if (action === 'verify') return verify(rest);
  if (action === 'anchor') return anchor(rest);
  if (action === 'export') return exportTrail(rest);
  throw usageError(
    'audit verify | audit anchor | audit export [--output FILE] [--since TIME] [--until TIME] (see docs/audit.md)',
  );
}

async function verify(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean' } } });
  await using context = await openContext();
  const mark = await context.auditMark.read();
  const { verified, lastMac, broken } = await verifyAudit(context, mark);
  const isUnanchored = broken === undefined && mark === undefined;
  const found = { ok: broken === undefined && !isUnanchored, ...(isUnanchored && { state: 'unanchored' }), verified };
  const end = { last_sequence: verified, last_mac: lastMac };
  printObject({ ...found, ...end, ...(broken && { broken_at: broken.sequence, fault: broken.fault }) }, values.json === true);
  if (broken !== undefined) throw commandError(`entry ${broken.sequence} of the audit trail ${FAULTS[broken.fault]}`);
  if (isUnanchored)
    throw commandError(
      'this data directory does not record which entry is the last one, so a shortened trail would go unnoticed: compare the trail with an export, then run `svc audit anchor`',
    );
}

/**
 * `audit anchor`: accepts the trail in its current state, after a restore or in another data directory, and records that in an
 * entry.
 */
async function anchor(args: string[]): Promise<void> {
  parseArgs({ args });
  await using context = await openContext();
  const former = await context.auditMark.read().catch(() => undefined);
  const facts = { former_sequence: former?.sequence ?? null, former_mac: former?.mac.toString('hex') ?? null };
  context.auditMark.renew();
  const subject = { type: 'audit_trail' } as const;
  await recordAudit(context, { ...accountContext(await firstAccountId(context.db)), action: 'audit.anchor', subject, facts });
}

async function exportTrail(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { output: TEXT, since: TEXT, until: TEXT } });
  const filter = { accountId: 'all', since: timeOf('since', values.since), until: timeOf('until', values.until) } as const;
  await using context = await openContext();
  await recordExport(context, filter);
  const { output } = values;
  if (output === undefined) return await print(auditLines(context.db, filter));
  await writeNew(output, async (draft) => {
    for await (const lines of auditLines(context.db, filter)) await draft.appendFile(lines);
  });
}

async function recordExport(context: CommandContext, { since, until }: AuditFilter): Promise<void> {
  const entry = { action: 'audit.export', subject: { type: 'audit_trail' }, facts: { since, until } } as const;
  await recordAudit(context, { ...accountContext(await firstAccountId(context.db)), ...entry });
}

/**
 * Prints lines no faster than they are read. Characters that a terminal would interpret are escaped, which changes no value of
 * the JSON.
 */
async function print(lines: AsyncIterable<string>): Promise<void> {
  for await (const some of lines) {
    const safe = some.split('\n').map(escapeUnsafe).join('\n');
    if (!process.stdout.write(safe)) await once(process.stdout, 'drain');
  }
}

function timeOf(flag: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (!Number.isNaN(time.getTime())) return time;
  throw usageError(`--${flag} must be a time such as 2030-01-31T12:00:00Z`);
}
