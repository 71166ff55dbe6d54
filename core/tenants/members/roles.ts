/** From the one that may least: a viewer reads, a developer changes, an admin decides about people and production secrets. */
export const ROLES = ['viewer', 'developer', 'admin'] as const;

export type Role = (typeof ROLES)[number];

/** Whether somebody with the role `held` may do what `needed` is the lowest role for. */
export function includesRole(held: Role, needed: Role): boolean {
  return ROLES.indexOf(held) >= ROLES.indexOf(needed);
}
