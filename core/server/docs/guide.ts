/** A heading of a page, by which the page's contents and the search lead to it. */
export interface DocsSection {
  /** The fragment. */
  readonly id: string;
  readonly title: string;
  /** What the search finds the section by, in addition to its title. */
  readonly text: string;
}

/** A file of Markdown as a page, which `ui/pipeline/guides.ts` renders. */
export interface Guide {
  /** The last part of the page's path; empty for the list of all guides. */
  readonly slug: string;
  /** The name of the guide in the list of all, which may be shorter than its heading. */
  readonly title: string;
  /** The heading of the list of all guides under which the guide stands. Absent for that list itself. */
  readonly group?: string;
  /** The page's content. The HTML is the renderer's; links to other guides begin with `/docs`. */
  readonly html: string;
  /** The text before the first section. */
  readonly text: string;
  /** The sections in the order of the page. `depth` is the level of the heading: 2 or 3. */
  readonly sections: readonly (DocsSection & { readonly depth: number })[];
}
