import { useRef, useState } from 'preact/hooks';
import { ApiError } from '../../kit/api-error.ts';
import { faultsOf } from './faults-of.ts';

type Values = Readonly<Record<string, string | boolean>>;
type Faults<V> = { readonly [K in keyof V]?: string };

export interface FormState<V extends Values> {
  readonly values: V;
  /** By field, in words. */
  readonly faults: Faults<V>;
  /** What no field is to blame for. */
  readonly error: ApiError | undefined;
  readonly isSending: boolean;
  /** Something differs from what it began with. */
  readonly isChanged: boolean;
  /** Counts sendings that found faults. */
  readonly attempts: number;
  set<K extends keyof V>(name: K, value: V[K]): void;
  /** What is wrong with a field, found while others are filled in. */
  blame(name: keyof V, fault: string): void;
  submit(): Promise<void>;
  /** Begins anew with these. */
  reset(values: V): void;
}

interface FormOptions<V> {
  readonly initial: V;
  /** What is wrong before anything is sent. */
  readonly check?: (values: V) => Faults<V>;
  /** What it throws is shown: a fault at its field, anything else above the form. */
  readonly send: (values: V) => Promise<void>;
  /** Faults of fields that the service names by a code alone. */
  readonly blamed?: (error: ApiError, values: V) => Faults<V>;
}

/** A form that keeps what was typed whatever the service says about it. */
export function useForm<V extends Values>({ initial, check, send, blamed }: FormOptions<V>): FormState<V> {
  const [first, setFirst] = useState(initial);
  const [values, setValues] = useState(initial);
  const [faults, setFaults] = useState<Faults<V>>({});
  const [error, setError] = useState<ApiError | undefined>();
  const [isSending, setSending] = useState(false);
  const [attempts, setAttempts] = useState(0);
  const isBusy = useRef(false);
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
      await send(values);
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
    isChanged: Object.keys(values).some((name) => values[name] !== first[name]),
    attempts,
    set(name, value) {
      setValues((before) => ({ ...before, [name]: value }));
      setFaults(({ [name]: _, ...others }) => others as Faults<V>);
    },
    blame: (name, fault) => setFaults((before) => ({ ...before, [name]: fault })),
    submit,
    reset(next) {
      setFirst(next);
      setValues(next);
      setFaults({});
      setError(undefined);
    },
  };
}
