import { fill } from '../../../../core/kit/language.ts';
import { bounded, figure, MOST_WAITING } from '../../components/figure.ts';

type Values = Readonly<Record<string, string | number>>;

/** The common stem of two keys: `rows`, when there are `rows_one` and `rows_other`. */
type Counted<K extends string> = K extends `${infer Name}_one` ? Name : never;

export interface Translate<K extends string> {
  (key: K, values?: Values): string;
  /** Returns the singular or plural text for a number, which replaces `{count}`. */
  count(name: Counted<K>, count: number, values?: Values): string;
  /** Returns the same text for a number of connections, which may be "1,000+". */
  bounded(name: Counted<K>, count: number, values?: Values): string;
  /** Returns the same text for a number of webhooks or tasks that wait, which may be "10,000+". */
  waiting(name: Counted<K>, count: number, values?: Values): string;
}

/** Creates a function that returns texts with their placeholders filled in. */
export function translatorOf<K extends string>(texts: Readonly<Record<K, string>>): Translate<K> {
  const translate = (key: K, values: Values = {}) => fill(texts[key], values);
  const count = (name: Counted<K>, number: number, values?: Values) => {
    const key = `${name}_${number === 1 ? 'one' : 'other'}` as K;
    return translate(key, { count: figure(number), ...values });
  };
  return Object.assign(translate, {
    count,
    bounded: (name: Counted<K>, number: number, values?: Values) => count(name, number, { count: bounded(number), ...values }),
    waiting: (name: Counted<K>, number: number, values?: Values) =>
      count(name, number, { count: bounded(number, MOST_WAITING), ...values }),
  });
}
