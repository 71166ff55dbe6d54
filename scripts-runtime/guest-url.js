/**
 * `URL` and `URLSearchParams` for scripts. Node parses URLs in the child process, and a script gets only their parts, as texts.
 */
const MAX_LENGTH = 65_536;
const PARTS = ['href', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'];

const { parse, stringify } = JSON;
const { defineProperty } = Object;
const string = String;
/** Converts a value to a string and replaces lone surrogates with U+FFFD, as the web platform does with all strings. */
const text = (value) => string(value).toWellFormed();

/**
 * Functions set by `URLSearchParams`, for `URL` only. The first creates parameters that report every change; the second reads
 * them anew.
 */
let watched;
let reread;

export function makeUrlClasses(native) {
  const partsOf = (operation, ...input) => {
    const request = stringify(input);
    return request.length > MAX_LENGTH ? null : parse(native(operation, request));
  };
  return { URL: makeUrl(partsOf), URLSearchParams };
}

function makeUrl(partsOf) {
  const parsed = (input, base) => partsOf('url', text(input), base === undefined ? null : text(base));
  class URL {
    #parts;
    #searchParams;

    constructor(input, base) {
      this.#read(parsed(input, base));
      this.#searchParams = watched(this.#parts.search, (search) => this.#write('search', search));
    }

    static canParse(input, base) {
      return parsed(input, base) !== null;
    }

    static parse(input, base) {
      return URL.canParse(input, base) ? new URL(input, base) : null;
    }

    get origin() {
      return this.#parts.origin;
    }

    get searchParams() {
      return this.#searchParams;
    }

    toString() {
      return this.#parts.href;
    }

    toJSON() {
      return this.#parts.href;
    }

    #read(parts) {
      if (parts === null) throw new TypeError('Invalid URL');
      this.#parts = parts;
    }

    #write(part, value) {
      this.#read(partsOf('urlSet', this.#parts.href, part, text(value)));
    }

    static {
      for (const part of PARTS) {
        const get = function () {
          return this.#parts[part];
        };
        const set = function (value) {
          this.#write(part, value);
          if (part === 'href' || part === 'search') reread(this.#searchParams, this.#parts.search);
        };
        defineProperty(URL.prototype, part, { get, set, configurable: true, enumerable: true });
      }
    }
  }
  return URL;
}

class URLSearchParams {
  #pairs = [];
  #changed = () => {};

  constructor(init = '') {
    if (typeof init !== 'object' || init === null) this.#pairs = pairsOf(text(init));
    else {
      const entries = typeof init[Symbol.iterator] === 'function' ? init : Object.entries(init);
      for (const [name, value] of entries) this.#pairs.push([text(name), text(value)]);
    }
  }

  static {
    watched = (search, changed) => {
      const parameters = new URLSearchParams(search);
      parameters.#changed = changed;
      return parameters;
    };
    reread = (parameters, search) => {
      parameters.#pairs = pairsOf(search);
    };
  }

  get size() {
    return this.#pairs.length;
  }

  append(name, value) {
    this.#replace([...this.#pairs, [text(name), text(value)]]);
  }

  delete(name, value) {
    this.#replace(this.#pairs.filter((pair) => pair[0] !== text(name) || (value !== undefined && pair[1] !== text(value))));
  }

  get(name) {
    return this.#pairs.find((pair) => pair[0] === text(name))?.[1] ?? null;
  }

  getAll(name) {
    return this.#pairs.filter((pair) => pair[0] === text(name)).map((pair) => pair[1]);
  }

  has(name, value) {
    return this.#pairs.some((pair) => pair[0] === text(name) && (value === undefined || pair[1] === text(value)));
  }

  set(name, value) {
    const first = this.#pairs.findIndex((pair) => pair[0] === text(name));
    if (first < 0) return this.append(name, value);
    const others = this.#pairs.filter((pair, at) => at <= first || pair[0] !== text(name));
    this.#replace(others.with(first, [text(name), text(value)]));
  }

  sort() {
    this.#replace(this.#pairs.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  }

  forEach(callback) {
    for (const [name, value] of this.#pairs) callback(value, name, this);
  }

  *entries() {
    for (const [name, value] of this.#pairs) yield [name, value];
  }

  *keys() {
    for (const [name] of this.#pairs) yield name;
  }

  *values() {
    for (const [, value] of this.#pairs) yield value;
  }

  [Symbol.iterator]() {
    return this.entries();
  }

  toString() {
    return this.#pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
  }

  #replace(pairs) {
    this.#pairs = pairs;
    this.#changed(this.toString());
  }
}

function pairsOf(search) {
  const query = search.startsWith('?') ? search.slice(1) : search;
  return query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=');
      return at < 0 ? [decoded(part), ''] : [decoded(part.slice(0, at)), decoded(part.slice(at + 1))];
    });
}

/** application/x-www-form-urlencoded leaves `*-._` and alphanumerics alone (URL Standard §5.2). */
function encoded(value) {
  return encodeURIComponent(value)
    .replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%20/g, '+');
}

/** Decodes a text and keeps percent signs that encode nothing. */
function decoded(value) {
  return value.replaceAll('+', ' ').replace(/(%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
}
