/** Parsed JSON, left untyped on purpose because tests check the shape of responses. */
type Parsed = ReturnType<typeof JSON.parse>;

/** A response whose body has been read. */
export interface ClientResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body when the response is JSON, else undefined. */
  readonly body: Parsed;
}

export interface RecordedResponse {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: string;
  readonly text: string;
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** The body; bytes and text are sent as they are, anything else as JSON. */
  readonly body?: unknown;
}

type Call = (path: string, options?: CallOptions) => Promise<ClientResponse>;
type CallWithBody = (path: string, body?: unknown, options?: CallOptions) => Promise<ClientResponse>;

/** A client of the service's API that uses one API key. It records all responses, which tests search for leaked secrets. */
export interface Client {
  readonly recorded: readonly RecordedResponse[];
  readonly get: Call;
  readonly delete: Call;
  readonly post: CallWithBody;
  readonly put: CallWithBody;
  readonly patch: CallWithBody;
  call(method: string, path: string, options?: CallOptions): Promise<ClientResponse>;
}

type Inspect = (method: string, url: string, response: ClientResponse) => void;

/**
 * @param key the API key, sent as a bearer token; if it is undefined, none is sent
 * @param inspect is called with every response before the caller gets it; an error that it throws reaches the caller
 */
export function client(baseUrl: string, key?: string, inspect: Inspect = () => undefined): Client {
  const recorded: RecordedResponse[] = [];
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };

  async function call(method: string, path: string, { headers, body }: CallOptions = {}): Promise<ClientResponse> {
    const url = new URL(path, baseUrl).href;
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      ...encode(body, { ...authorization, ...headers }),
    });
    const received = await readResponse(response);
    recorded.push({ method, url, status: received.status, headers: JSON.stringify([...received.headers]), text: received.text });
    inspect(method, url, received);
    return received;
  }

  const withBody =
    (method: string): CallWithBody =>
    (path, body, options) =>
      call(method, path, { ...options, body });

  return {
    recorded,
    call,
    get: (path, options) => call('GET', path, options),
    delete: (path, options) => call('DELETE', path, options),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
  };
}

export async function readResponse(response: Response): Promise<ClientResponse> {
  const text = await response.text();
  const isJson = /^application\/(.+\+)?json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, text, body: isJson && text !== '' ? JSON.parse(text) : undefined };
}

function encode(
  body: unknown,
  headers: Record<string, string>,
): { headers: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> } {
  if (body === undefined) return { headers };
  if (typeof body === 'string') return { headers, body };
  if (body instanceof Uint8Array) return { headers, body: new Uint8Array(body) };
  return { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}
