interface QrCodeProps {
  /** The rows of modules from top to bottom; `1` is dark. */
  readonly rows: readonly string[];
  readonly label: string;
}

/** Shows a QR code, dark on light in both themes, since not every app can read light codes on a dark background. */
export function QrCode({ rows, label }: QrCodeProps) {
  const dark = rows.flatMap((row, y) => [...row].flatMap((cell, x) => (cell === '1' ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg class="qr" viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path d={dark.join('')} />
    </svg>
  );
}
