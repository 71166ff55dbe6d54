export interface Picture {
  /** The name of the set; the pictures of a set show one installation. */
  readonly set: string;
  readonly screen: string;
  readonly scheme: 'light' | 'dark';
  readonly width: number;
}

export function fileOf({ set, screen, scheme, width }: Picture): string {
  return `${set}-${screen}-${scheme}-${width}.png`;
}

const STYLE = `body { font: 14px/20px system-ui; margin: 24px; background: #888; }
h2 { position: sticky; left: 0; } figure { display: inline-block; margin: 0 16px 16px 0; vertical-align: top; }
figcaption { font-size: 12px; } img { height: 420px; } section { white-space: nowrap; }`;

/** Returns a page with all pictures: one row for each screen, and a caption for each picture. */
export function contactSheet(pictures: readonly Picture[]): string {
  const rows = Map.groupBy(pictures, ({ screen }) => screen);
  const sections = [...rows].map(([screen, shots]) => `<section><h2>${screen}</h2>${shots.map(figure).join('')}</section>`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Screenshots</title><style>${STYLE}</style>${sections.join('\n')}`;
}

function figure(picture: Picture): string {
  const file = fileOf(picture);
  return `<figure><a href="${file}"><img src="${file}" alt="${file}" loading="lazy"></a><figcaption>${file}</figcaption></figure>`;
}
