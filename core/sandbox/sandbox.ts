import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendReply } from '../http/response.ts';
import type { Reply } from '../http/route.ts';
import { readSandboxCaller } from '../integrations/sandbox.ts';
import { withLowerCaseNames } from '../kit/header-names.ts';
import { decideAuthorization, showAuthorization } from './authorize.ts';
import type { SandboxDeps, SandboxRequest } from './deps.ts';
import { takeWebhook } from './inbox.ts';
import { createNote, listNotes, showAccount } from './notes-api.ts';
import { refusalReply, SandboxRefusal } from './refusal.ts';
import { issueTokens, revokeTokens } from './token-endpoint.ts';

type Handler = (deps: SandboxDeps, request: SandboxRequest) => Promise<Reply>;

/** By method and path below `/sandbox`. Nothing else is served. */
const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['GET /authorize', showAuthorization],
  ['POST /authorize', decideAuthorization],
  ['POST /token', issueTokens],
  ['POST /revoke', revokeTokens],
  ['GET /api/me', showAccount],
  ['GET /api/notes', listNotes],
  ['POST /api/notes', createNote],
]);

function handlerOf({ method, path }: SandboxRequest): Handler | undefined {
  return method === 'POST' && path.startsWith('/inbox/') ? takeWebhook : HANDLERS.get(`${method} ${path}`);
}

/** Of what the service itself sends. */
const MAX_BYTES = 4 * 1024 * 1024;

/** A provider that the service plays, so that everything can be tried without one. */
export class Sandbox {
  readonly #deps: SandboxDeps;

  constructor(deps: SandboxDeps) {
    this.#deps = deps;
  }

  async respond(request: SandboxRequest): Promise<Reply> {
    const handle = handlerOf(request);
    try {
      if (handle === undefined) throw new SandboxRefusal(404, 'not_found', 'there is nothing at this address of the sandbox');
      return await handle(this.#deps, request);
    } catch (error) {
      if (error instanceof SandboxRefusal) return refusalReply(error);
      throw error;
    }
  }

  /** A call of the service itself (`kit/outbound-inside.ts`). @param caller as `sandboxCaller` writes it */
  async serve(caller: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const base = `${new URL(this.#deps.baseUrl).pathname.replace(/\/$/, '')}/sandbox`;
    const [path = '', query = ''] = url.split(/\?(.*)/s, 2);
    try {
      const reply = await this.respond({
        method,
        // Compared as it came: no spelling of another path leads to one of ours.
        path: path.startsWith(base) ? path.slice(base.length) : '',
        query: new URLSearchParams(query),
        headers: withLowerCaseNames(Object.entries(request.headers)),
        caller: readSandboxCaller(caller),
        readBody: () => readAll(request),
      });
      sendReply(response, reply);
    } catch (error) {
      this.#deps.log.error('the sandbox failed', { error });
      response.destroy();
    }
  }
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > MAX_BYTES) throw new SandboxRefusal(413, 'too_large', `a body has at most ${MAX_BYTES} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
