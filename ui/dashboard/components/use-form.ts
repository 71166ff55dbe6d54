import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../kit/api-error.ts';
import { faultsOf } from './faults-of.ts';

type Values = Readonly<Record<string, string | boolean>>;
type Faults<V> = { readonly [K in keyof V]?: string };

export interface FormState<V extends Values> {
  readonly values: V;
  /** Error texts by field. */
  readonly faults: Faults<V>;
  /** The error that concerns no particular field. */
  readonly error: ApiError | undefined;
  readonly isSending: boolean;
  /** True when a value differs from the initial one. */
  readonly isChanged: boolean;
  /** The number of submissions that failed. */
  readonly attempts: number;
  set<K extends keyof V>(name: K, value: V[K]): void;
  /** Shows an error at a field that is found while the user is still filling in the form. */
  blame(name: keyof V, fault: string): void;
  submit(): Promise<void>;
  /** Starts again with these initial values. */
  reset(values: V): void;
}

interface FormOptions<V> {
  /** The initial values. When they change, as they are loaded again, a form that the user has not changed takes them. */
  readonly initial: V;
  /** Checks the values before anything is sent. */
  readonly check?: (values: V) => Faults<V>;
  /** Sends the values, or only those that the user has changed. An ApiError that it throws is shown: faults of fields at the fields, anything else above the form. */
  readonly send: (values: V, changed: Partial<V>) => Promise<void>;
  /** Returns the faults that the service reports only by an error code, by field. */
  readonly blamed?: (error: ApiError, values: V) => Faults<V>;
}

/** Manages the state of a form; the typed values are kept when the service refuses them. */
export function useForm<V extends Values>({ initial, check, send, blamed }: FormOptions<V>): FormState<V> {
  const [first, setFirst] = useState(initial);
  const [values, setValues] = useState(initial);
  const [faults, setFaults] = useState<Faults<V>>({});
  const [error, setError] = useState<ApiError | undefined>();
  const [isSending, setSending] = useState(false);
  const [attempts, setAttempts] = useState(0);
  const isBusy = useRef(false);
  const changed = changesOf(first, values);
  const isChanged = Object.keys(changed).length > 0;
  const start = (next: V) => {
    setFirst(next);
    setValues(next);
  };
  const skipLoaded = useLoadedValues(initial, isChanged, start);
  const refuse = (found: Faults<V>, cause?: ApiError) => {
    setFaults(found);
    setError(cause);
    setAttempts((count) => count + 1);
  };
  async function submit(): Promise<void> {
    if (isBusy.current) return;
    const found = check?.(values) ?? {};
    if (Object.keys(found).length > 0) return refuse(found);
    isBusy.current = true;
    setSending(true);
    setFaults({});
    setError(undefined);
    try {
      await send(values, changed);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      const atFields = { ...(faultsOf(cause.faults, Object.keys(values)) as Faults<V>), ...blamed?.(cause, values) };
      refuse(atFields, Object.keys(atFields).length > 0 ? undefined : cause);
    } finally {
      isBusy.current = false;
      setSending(false);
    }
  }
  return {
    values,
    faults,
    error,
    isSending,
    isChanged,
    attempts,
    set(name, value) {
      setValues((before) => ({ ...before, [name]: value }));
      setFaults(({ [name]: _, ...others }) => others as Faults<V>);
    },
    blame: (name, fault) => setFaults((before) => ({ ...before, [name]: fault })),
    submit,
    reset(next) {
      skipLoaded();
      start(next);
      setFaults({});
      setError(undefined);
    },
  };
}

/**
 * Takes the initial values when they have changed, once the user has changed nothing.
 *
 * @returns a function that leaves out the present ones, since the form has newer values
 */
function useLoadedValues<V extends Values>(initial: V, isChanged: boolean, take: (values: V) => void): () => void {
  const known = useRef(initial);
  const latest = useRef(initial);
  latest.current = initial;
  // Not an effect after painting: what the user types until then would be overwritten.
  useLayoutEffect(() => {
    if (isChanged || Object.keys(changesOf(known.current, initial)).length === 0) return;
    known.current = initial;
    take(initial);
  });
  return () => {
    known.current = latest.current;
  };
}

/** Returns the values that differ from earlier ones. */
function changesOf<V extends Values>(before: V, now: V): Partial<V> {
  return Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== before[name])) as Partial<V>;
}
