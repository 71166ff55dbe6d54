import type { IncomingMessage, ServerResponse } from 'node:http';
import { readDemoCaller } from '../connections/integrations/demo-provider.ts';
import { withLowerCaseNames } from '../kit/header-names.ts';
import { sendReply } from '../server/response.ts';
import type { Reply } from '../server/route.ts';
import { decideAuthorization, showAuthorization } from './authorize.ts';
import type { Decision, DemoProviderDeps, DemoRequest } from './deps.ts';
import { takeWebhook } from './inbox.ts';
import { createNote, listNotes, showAccount } from './notes-api.ts';
import { DemoRefusal, refusalReply } from './refusal.ts';
import { issueTokens, revokeTokens } from './token-endpoint.ts';

type Handler = (deps: DemoProviderDeps, request: DemoRequest) => Promise<Reply>;

/**
 * Handlers of the calls that the service makes to the sandbox, by method and path below `/sandbox`. Apart from these, only
 * webhooks are accepted (`/inbox/…`).
 */
const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['POST /token', issueTokens],
  ['POST /revoke', revokeTokens],
  ['GET /api/me', showAccount],
  ['GET /api/notes', listNotes],
  ['POST /api/notes', createNote],
]);

function handlerOf({ method, path }: DemoRequest): Handler | undefined {
  return method === 'POST' && path.startsWith('/inbox/') ? takeWebhook : HANDLERS.get(`${method} ${path}`);
}

const NOTHING_THERE = new DemoRefusal(404, 'not_found', 'there is nothing at this address of the sandbox');
/** Maximum size of a request body that the service itself sends. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The demo provider: it is played by the service itself, so that everything can be tried without a real provider. */
export class DemoProvider {
  readonly #deps: DemoProviderDeps;

  constructor(deps: DemoProviderDeps) {
    this.#deps = deps;
  }

  /** Handles `GET /authorize`, for a person. */
  show(query: URLSearchParams): Promise<Reply> {
    return orRefusal(showAuthorization(this.#deps, query));
  }

  /** Handles `POST /authorize`, for a person. */
  decide(decision: Decision): Promise<Reply> {
    return orRefusal(decideAuthorization(this.#deps, decision));
  }

  /** Handles a call of the service itself (`kit/outbound-inside.ts`). @param caller in the form that `demoCaller` writes */
  async serve(caller: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const base = `${new URL(this.#deps.baseUrl).pathname.replace(/\/$/, '')}/sandbox`;
    const [path = ''] = url.split('?', 1);
    try {
      const reply = await this.#respond({
        method,
        // The path is compared as it was received, so that a handler cannot be reached by another spelling of its path.
        path: path.startsWith(base) ? path.slice(base.length) : '',
        headers: withLowerCaseNames(Object.entries(request.headers)),
        caller: readDemoCaller(caller),
        readBody: () => readAll(request),
      });
      sendReply(response, reply);
    } catch (error) {
      this.#deps.log.error('the demo provider (sandbox) failed', { error });
      response.destroy();
    }
  }

  async #respond(request: DemoRequest): Promise<Reply> {
    const handle = handlerOf(request);
    if (handle === undefined) return refusalReply(NOTHING_THERE);
    return orRefusal(handle(this.#deps, request));
  }
}

async function orRefusal(reply: Promise<Reply>): Promise<Reply> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof DemoRefusal) return refusalReply(error);
    throw error;
  }
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > MAX_BYTES) throw new DemoRefusal(413, 'too_large', `a body has at most ${MAX_BYTES} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
