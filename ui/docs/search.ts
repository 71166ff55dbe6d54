import type { DocsPlace } from './places.ts';

/** How much text before and after the first word that is found is shown, in characters. */
const BEFORE = 30;
const AFTER = 120;

type Find = (words: string) => readonly DocsPlace[];

/** Shows the search, which reads its index when somebody begins to use it. @param index the address of the index */
export function openSearch(form: HTMLFormElement, index: URL): void {
  const input = form.querySelector('input');
  if (input === null) return;
  const hits = new Hits(form, input);
  let finding: Promise<Find> | undefined;
  const load = () => {
    finding ??= import('./find-places.ts').then(({ openIndex }) => openIndex(index));
    return finding;
  };
  const find = async () => {
    const words = input.value.trim();
    if (words === '') return hits.close();
    const places = await load().then(
      (found) => found(words),
      () => undefined,
    );
    // What has been typed since has been searched for, too.
    if (words === input.value.trim()) hits.show(places, words);
  };
  form.hidden = false;
  input.addEventListener('focus', () => {
    // The next attempt reads the index again.
    load().catch(() => {
      finding = undefined;
    });
    void find();
  });
  input.addEventListener('input', () => void find());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    hits.links()[0]?.click();
  });
  form.addEventListener('keydown', (event) => hits.onKey(event));
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) hits.close();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    event.preventDefault();
    input.focus();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
}

/** The list of what was found, below the field. Arrow keys walk through it. */
class Hits {
  readonly #input: HTMLInputElement;
  readonly #box = document.createElement('div');
  readonly #list = document.createElement('ul');
  readonly #status = document.createElement('p');

  constructor(form: HTMLFormElement, input: HTMLInputElement) {
    this.#input = input;
    this.#box.className = 'hits';
    this.#box.hidden = true;
    this.#status.role = 'status';
    this.#box.append(this.#list);
    form.append(this.#box, this.#status);
    this.#list.addEventListener('click', () => this.close());
  }

  /** @param places undefined if the index could not be read */
  show(places: readonly DocsPlace[] | undefined, words: string): void {
    this.#list.replaceChildren(...(places ?? []).map((place) => hit(place, words)));
    this.#box.hidden = places === undefined || places.length === 0;
    this.#status.textContent = places === undefined ? 'The search does not work at the moment.' : counted(places.length);
    this.#status.className = this.#box.hidden ? 'hits' : 'sr';
  }

  close(): void {
    this.#box.hidden = true;
    this.#status.textContent = '';
    this.#status.className = 'sr';
  }

  links(): readonly HTMLAnchorElement[] {
    return this.#box.hidden ? [] : [...this.#list.querySelectorAll('a')];
  }

  onKey(event: KeyboardEvent): void {
    const { key } = event;
    if (key === 'Escape') {
      this.#input.focus();
      this.close();
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (step === undefined) return;
    event.preventDefault();
    const stops: readonly HTMLElement[] = [this.#input, ...this.links()];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    stops[(at + step + stops.length) % stops.length]?.focus();
  }
}

function counted(count: number): string {
  if (count === 0) return 'Nothing is found. Try fewer or other words.';
  return count === 1 ? '1 place is found' : `${count} places are found`;
}

function hit({ url, group = '', page, section, text }: DocsPlace, words: string): HTMLLIElement {
  const link = document.createElement('a');
  link.href = url;
  link.append(
    part('b', section ?? page),
    part('span', section === undefined ? group : page),
    part('small', excerpt(text, words)),
  );
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function part(name: 'b' | 'span' | 'small', text: string): HTMLElement {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}

/** Returns the part of a text around the first of the words, from the beginning of a word on. */
function excerpt(text: string, words: string): string {
  const lower = text.toLowerCase();
  const found = words
    .toLowerCase()
    .split(/\s+/)
    .flatMap((word) => (lower.includes(word) ? [lower.indexOf(word)] : []));
  const first = found.length === 0 ? 0 : Math.min(...found);
  const start = first <= BEFORE ? 0 : text.lastIndexOf(' ', first - BEFORE) + 1;
  const end = first + AFTER;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
}
