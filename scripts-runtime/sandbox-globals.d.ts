import type { ScriptConsole } from './script.d.ts';

/**
 * Globals of the sandbox in addition to those of the language. Only the `tsconfig.json` of a folder of scripts includes this
 * file, because in an application they would collide with the globals of Node or the browser.
 */

type Encoding = 'hex' | 'base64' | 'base64url';
type Bytes = string | Uint8Array | ArrayBuffer;

declare global {
  const console: ScriptConsole;

  /** Strings are hashed as UTF-8. */
  const crypto: {
    randomUUID(): string;
    sha256(data: Bytes, encoding?: Encoding): string;
    hmacSha256(key: Bytes, data: Bytes, encoding?: Encoding): string;
  };

  /** A timer ends with the run, whether or not it has fired. */
  function setTimeout<Args extends unknown[]>(callback: (...args: Args) => void, ms?: number, ...args: Args): number;
  function clearTimeout(timer: number | undefined): void;

  function atob(base64: string): string;
  function btoa(characters: string): string;

  class TextEncoder {
    readonly encoding: string;
    encode(input?: string): Uint8Array;
  }

  class TextDecoder {
    constructor(label?: string, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean });
    readonly encoding: string;
    decode(input?: Uint8Array | ArrayBuffer): string;
  }

  class URL {
    constructor(input: string | URL, base?: string | URL);
    static canParse(input: string | URL, base?: string | URL): boolean;
    static parse(input: string | URL, base?: string | URL): URL | null;
    href: string;
    readonly origin: string;
    protocol: string;
    username: string;
    password: string;
    host: string;
    hostname: string;
    port: string;
    pathname: string;
    search: string;
    readonly searchParams: URLSearchParams;
    hash: string;
    toString(): string;
    toJSON(): string;
  }

  class URLSearchParams {
    constructor(init?: string | Readonly<Record<string, string>> | Iterable<readonly [string, string]>);
    readonly size: number;
    append(name: string, value: string): void;
    delete(name: string, value?: string): void;
    get(name: string): string | null;
    getAll(name: string): string[];
    has(name: string, value?: string): boolean;
    set(name: string, value: string): void;
    sort(): void;
    forEach(callback: (value: string, name: string, parameters: URLSearchParams) => void): void;
    entries(): IterableIterator<[string, string]>;
    keys(): IterableIterator<string>;
    values(): IterableIterator<string>;
    [Symbol.iterator](): IterableIterator<[string, string]>;
    toString(): string;
  }
}
