import type { OpenApiDocument, OpenApiOperation } from '../model.ts';

/** What a section of the page is about: an operation, or several of one address that differ in their method alone. */
export interface ReferenceEntry {
  /** In capitals. */
  readonly methods: readonly string[];
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/** In the order of the document. */
export function entriesOf({ paths }: OpenApiDocument): ReferenceEntry[] {
  return Object.entries(paths).flatMap(([path, operations]) => {
    const all = Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), operation }));
    const alike = Map.groupBy(all, ({ operation }) => operation.summary);
    return [...alike.values()].flatMap(([first, ...others]) => {
      if (first === undefined) return [];
      return [{ methods: [first, ...others].map(({ method }) => method), path, operation: first.operation }];
    });
  });
}

export function entriesOfTag(entries: readonly ReferenceEntry[], tag: string): ReferenceEntry[] {
  return entries.filter(({ operation }) => operation.tags.includes(tag));
}

/** The anchor of a group of operations. */
export function tagAnchor(tag: string): string {
  return `tag-${tag.toLowerCase().replaceAll(' ', '-')}`;
}
