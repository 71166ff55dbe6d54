/** The accounts of the sandbox. */
export interface DemoUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

export const PEOPLE: readonly DemoUser[] = [
  { id: 'ada', name: 'Ada Lovelace', email: 'ada@sandbox.example' },
  { id: 'grace', name: 'Grace Hopper', email: 'grace@sandbox.example' },
  { id: 'demo', name: 'Demo User', email: 'demo@sandbox.example' },
];

/** The password of all test persons; it is not a secret. */
const PASSWORD = 'demo';

export function personOf(id: string | null | undefined): DemoUser | undefined {
  return PEOPLE.find((one) => one.id === id);
}

export function signIn(username: string, password: string): DemoUser | undefined {
  return password === PASSWORD ? personOf(username === 'demo' ? username : undefined) : undefined;
}
