import type { Journey } from './flow/ports.ts';

const TOKEN = 'svc-connect-token';
const QUERY = 'svc-connect-query';
const FLOW = 'svc-connect-flow';
const VIEW = 'svc-connect-view';

/** Values that are kept on the way to the provider and back, in this tab only. Nothing that was typed is among them. */
export const kept = {
  token: (): string | null => read(TOKEN),
  /** Language and theme of the link, as a query. */
  query: (): string => read(QUERY) ?? '',
  journey(): Journey | null {
    const [flowId, view] = [read(FLOW), read(VIEW)];
    if (flowId === null || view === null) return null;
    try {
      return { flowId, ...JSON.parse(view) };
    } catch {
      return null;
    }
  },
  keepLink(token: string, query: string): void {
    write(TOKEN, token);
    write(QUERY, query);
  },
  keepJourney({ flowId, ...view }: Journey): void {
    write(FLOW, flowId);
    write(VIEW, JSON.stringify(view));
  },
  endJourney(): void {
    remove(FLOW);
    remove(VIEW);
  },
  /** Forgets the values of this token only: another link may have been opened in this tab meanwhile. */
  forget(token: string): void {
    if (read(TOKEN) !== token) return;
    remove(TOKEN);
    remove(QUERY);
    kept.endJourney();
  },
};

// A browser may forbid storage: then a link works until the page is left.
function read(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    sessionStorage.setItem(name, value);
  } catch {}
}

function remove(name: string): void {
  try {
    sessionStorage.removeItem(name);
  } catch {}
}
