import leven from 'leven';

/**
 * Returns the choice that is closest to a text, comparing letters and digits only: `onWebhook` is close to `on-webhook`.
 *
 * @returns undefined when none is close, that is, when more than half of the characters would have to change
 */
export function didYouMean(text: string, choices: readonly string[]): string | undefined {
  const distances = choices.map((choice) => ({ choice, distance: leven(plain(text), plain(choice)) }));
  const [closest] = distances.toSorted((one, other) => one.distance - other.distance);
  return closest !== undefined && closest.distance * 2 <= plain(closest.choice).length ? closest.choice : undefined;
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
