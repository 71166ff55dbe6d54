const EVERY_MS = 5_000;
/** The first start creates a database, which takes a second or two, but a minute and more on a busy machine. */
const LIMIT_MS = 180_000;

interface AwaitedOptions {
  readonly everyMs?: number;
  readonly limitMs?: number;
  readonly print?: (line: string) => void;
}

/**
 * Waits for a part of the start, and says every few seconds what it waits for.
 *
 * @param what is asked each time, since the part itself may have got further
 * @throws Error that names what was waited for, if that takes longer than three minutes; the error of the part
 */
export async function awaited<T>(
  what: () => string,
  part: Promise<T>,
  { everyMs = EVERY_MS, limitMs = LIMIT_MS, print = console.log }: AwaitedOptions = {},
): Promise<T> {
  const start = performance.now();
  const seconds = () => Math.round((performance.now() - start) / 1_000);
  const { promise: late, reject } = Promise.withResolvers<never>();
  const saying = setInterval(() => print(`Waiting for ${what()} … (${seconds()} s)`), everyMs);
  const limit = setTimeout(() => reject(new Error(`gave up after ${seconds()} s of waiting for ${what()}`)), limitMs);
  try {
    return await Promise.race([part, late]);
  } finally {
    clearInterval(saying);
    clearTimeout(limit);
  }
}
