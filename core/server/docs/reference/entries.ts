import type { OpenApiDocument, OpenApiOperation } from '../../openapi/model.ts';

/** The subject of a section of the page: one operation, or several of the same address that differ only in their method. */
export interface ReferenceEntry {
  /** In upper case. */
  readonly methods: readonly string[];
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/** Returns the entries in the order of the document. */
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
