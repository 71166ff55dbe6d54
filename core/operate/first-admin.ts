import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/schema.ts';
import { type RecordDeps, recordAudit } from '../journal/audit-trail/record.ts';
import { SYSTEM } from '../journal/operation-log/actor.ts';
import type { Logger } from '../kit/logger.ts';
import { writePrivateFile } from '../kit/private-file.ts';
import { firstAccountId } from '../tenants/environments/environment-store.ts';
import type { MembersDeps } from '../tenants/members/deps.ts';
import { checkNewPassword, hashPassword, isPasswordHash } from '../tenants/members/password.ts';
import { addFirstAdmin, makeSetupToken, needsSetup } from '../tenants/members/setup.ts';

type Settings = Pick<Config, 'SVC_ADMIN_EMAIL' | 'SVC_ADMIN_PASSWORD_FILE' | 'SVC_BASE_URL'>;

/**
 * Makes sure that the dashboard can have a first admin: while there is none, creates the one named in the settings or, without
 * these settings, a link to the page that creates one. Once there is one, the file of the link's token is removed.
 *
 * @returns the link, if one was created. It must be shown on a terminal only, never logged; its token is also in a file that only
 *   the operator can read
 */
export async function prepareFirstAdmin(
  deps: MembersDeps & RecordDeps & { readonly log: Logger },
  { SVC_ADMIN_EMAIL: email, SVC_ADMIN_PASSWORD_FILE: passwordFile, SVC_BASE_URL: baseUrl }: Settings,
  dataDir: string,
): Promise<string | undefined> {
  const accountId = await firstAccountId(deps.db);
  const tokenFile = join(dataDir, 'setup-token');
  if (accountId === undefined) return undefined;
  if (!(await needsSetup(deps))) {
    await rm(tokenFile, { force: true });
    return undefined;
  }
  if (email !== undefined && passwordFile !== undefined) {
    const text = (await readFile(passwordFile, 'utf8')).trim();
    if (!isPasswordHash(text)) checkNewPassword(text, 'SVC_ADMIN_PASSWORD_FILE');
    const password = isPasswordHash(text) ? text : await hashPassword(text);
    await addFirstAdmin(deps, { accountId, email: email.toLowerCase(), name: email, password }, (trx, id) => {
      const subject = { type: 'member', id: String(id), name: email } as const;
      return recordAudit({ ...deps, db: trx }, { action: 'member.join', source: { actor: SYSTEM }, accountId, subject });
    });
    deps.log.info('first start: the admin of SVC_ADMIN_EMAIL was created', { email });
    return undefined;
  }
  const token = await makeSetupToken(deps, accountId);
  await writePrivateFile(tokenFile, `${token}\n`);
  deps.log.info('the dashboard waits for its first admin; "svc setup-link" prints the link to its setup page', {
    file: tokenFile,
  });
  return setupLink(baseUrl, token);
}

/**
 * Returns the link to the setup page. The token is in the fragment, which browsers do not send, so it never reaches logs or other
 * sites.
 */
export function setupLink(baseUrl: string, token: string): string {
  return `${baseUrl}/setup#token=${token}`;
}
