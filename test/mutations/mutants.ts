export interface Mutant {
  readonly name: string;
  /** A text that occurs exactly once in the tree. When the code there changes, this text has to be updated by hand. */
  readonly find: string;
  readonly replace: string;
}

/** One fault of each of the kinds that would do the most harm in this project. */
const CHOSEN: readonly Mutant[] = [
  {
    name: 'no signature check',
    find: '  if (signers.length === 0) throw invalid();\n',
    replace: '',
  },
  {
    name: 'PKCE left out',
    find: "  return callback?.grant !== 'client_credentials' && disable_pkce !== true;",
    replace: '  return false;',
  },
  {
    name: 'lease not taken',
    find: "update refreshes set owner = :owner, leased_at = now(), lease_until = now() + :leaseSeconds * interval '1 second',",
    replace: 'update refreshes set',
  },
  {
    name: 'generation not compared',
    find: '    if (generation !== connection.generation) {',
    replace: '    if (generation === 0) {',
  },
  {
    name: 'redirect followed across origins',
    find: 'if (url === null || url.origin !== from.origin || ',
    replace: 'if (url === null || ',
  },
  {
    name: 'scope not asked',
    find: "  if ((caller.kind === 'environment' || caller.kind === 'account') && grants(caller.scopes, scope)) return;",
    replace: "  if (caller.kind === 'environment' || caller.kind === 'account') return;",
  },
  {
    name: 'tenant left out of a query',
    find: "): Promise<ListedOperation[]> {\n  const query = matching(db<OperationLogRow>('operation_log').where({ environment_id: environmentId }), filter);",
    replace: "): Promise<ListedOperation[]> {\n  const query = matching(db<OperationLogRow>('operation_log'), filter);",
  },
  {
    name: 'secret logged',
    find: '  if (!(await lockIntegration(deps.db, environmentId, integrationId))) throw unknownIntegration(uniqueKey);\n  for',
    replace:
      "  if (!(await lockIntegration(deps.db, environmentId, integrationId))) throw unknownIntegration(uniqueKey); deps.log.info('authorized', { how: JSON.stringify(plan.credentials) });\n  for",
  },
  {
    name: 'message not in the transaction',
    find: '      await sendAuthMessage(deps, trx, refreshEvent({ ...connection, ...attributes, credentials }, { success: true }));',
    replace:
      '      await sendAuthMessage(deps, deps.db, refreshEvent({ ...connection, ...attributes, credentials }, { success: true }));',
  },
  {
    name: 'isolate limit doubled',
    find: '      memoryLimit: memoryMb,',
    replace: '      memoryLimit: memoryMb * 2,',
  },
  {
    name: 'CSRF header not asked',
    find: `  if (headers['x-svc-ui'] !== '1') throw new ServiceError('forbidden', 'this endpoint is for the dashboard: send "X-Svc-UI: 1"');\n`,
    replace: '',
  },
  {
    name: 'cookie without HttpOnly',
    find: '  return `${fullCookieName(name)}=${value}; Path=/${age}; HttpOnly; SameSite=Lax${secure}`;',
    replace: '  return `${fullCookieName(name)}=${value}; Path=/${age}; SameSite=Lax${secure}`;',
  },
  {
    name: 'retry of POST',
    find: "const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);",
    replace: "const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'POST']);",
  },
  {
    name: 'state usable twice',
    find: "    .whereNull('used_at')\n    .where('expires_at', '>', now)\n    .update({ used_at: now, exchanging_until: leaseEnd(deps.db), ...inState(deps.db, 'returned') })",
    replace:
      "    .where('expires_at', '>', now)\n    .update({ used_at: now, exchanging_until: leaseEnd(deps.db), ...inState(deps.db, 'returned') })",
  },
];

/**
 * Faults drawn by `node test/mutations/draw.ts 3dadd74f 17` on commit 3dadd74f. The second one was left out, because it changes
 * nothing: it removes the `await` of `return await this.deploy(…)` in a `catch` of `sdk/node/src/scripts.ts`, and there is no
 * other `catch` or `finally` that the `await` would matter to.
 */
const DRAWN: readonly Mutant[] = [
  {
    name: 'core/credentials: a condition negated',
    find: "  if (!refreshable) return isExpired(token) ? 'expired' : 'serve';",
    replace: "  if (!refreshable) return !(isExpired(token)) ? 'expired' : 'serve';",
  },
  {
    name: 'core/tenants/members: an argument removed',
    find: '  name: z.string().max(255).optional(),\n  groups:',
    replace: '  name: z.string().max().optional(),\n  groups:',
  },
  {
    name: 'core/api: a where removed',
    find: "\n    .where((failing) => failing.whereNotNull('paused_at').orWhere('failures', '>=', FAILURES_TO_OPEN));",
    replace: ';',
  },
  {
    name: 'core/demo-provider: a condition negated',
    find: '    return keys.decrypt(envelope, placeOf(kind));\n  } catch (error) {\n    if (error instanceof KeyRingError) return undefined;',
    replace:
      '    return keys.decrypt(envelope, placeOf(kind));\n  } catch (error) {\n    if (!(error instanceof KeyRingError)) return undefined;',
  },
  {
    name: 'ui/kit: an await removed',
    find: '    for await (const event of readEvents(await open(either))) {',
    replace: '    for await (const event of readEvents(open(either))) {',
  },
  {
    name: 'core/auth-modes: an argument removed',
    find: "  return Object.fromEntries(values.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])));",
    replace: '  return Object.fromEntries(values.flatMap());',
  },
  {
    name: 'core/connections/integrations: a where removed',
    find: '  const row = await live(deps.db, environmentId).where({ unique_key: uniqueKey }).first();',
    replace: '  const row = await live(deps.db, environmentId).first();',
  },
  {
    name: 'core/catalogue: a condition negated',
    find: '  if (provider === undefined) return undefined;',
    replace: '  if (!(provider === undefined)) return undefined;',
  },
  {
    name: 'scripts-runtime: an await removed',
    find: "      const response = JSON.stringify(await hostFunction(args, this.#stop.signal)) ?? '';",
    replace: "      const response = JSON.stringify(hostFunction(args, this.#stop.signal)) ?? '';",
  },
  {
    name: 'core/journal/audit-trail: an argument removed',
    find: "  const secret = keys.encrypt(key.secret.toString('base64'), auditKeyPlace(key.id));",
    replace: "  const secret = keys.encrypt(key.secret.toString('base64'));",
  },
  {
    name: 'core/db: a where removed',
    find: '  return after === undefined ? query : query.whereRaw(`${rowOf(names)} > ${marks(names)}`, [...after]);',
    replace: '  return after === undefined ? query : query;',
  },
  {
    name: 'core/server/openapi: a condition negated',
    find: "  const labels = [...(required ? ['required'] : []), ...(schema['deprecated'] === true ? ['deprecated'] : [])];",
    replace: "  const labels = [...(!(required) ? ['required'] : []), ...(schema['deprecated'] === true ? ['deprecated'] : [])];",
  },
  {
    name: 'core/operate/transfer: an await removed',
    find: '  await setEnvironment(db, id, { row: sealed, columns });',
    replace: '  setEnvironment(db, id, { row: sealed, columns });',
  },
  {
    name: 'ui/pipeline: an argument removed',
    find: "  const [[name, texts] = []] = Object.entries<Exported['texts']>(await import(pathToFileURL(file).href));",
    replace: "  const [[name, texts] = []] = Object.entries<Exported['texts']>(await import(pathToFileURL().href));",
  },
  {
    name: 'core/connections/connect-sessions: a where removed',
    find: "  const some = db('connect_sessions').where({ environment_id: environmentId }).limit(limit).select('id');",
    replace: "  const some = db('connect_sessions').limit(limit).select('id');",
  },
  {
    name: 'sdk/frontend: a condition negated',
    find: 'if (leave) cover.focus();',
    replace: 'if (!(leave)) cover.focus();',
  },
];

export const MUTANTS: readonly Mutant[] = [...CHOSEN, ...DRAWN];
