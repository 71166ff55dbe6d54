/** The types that scripts use, read from their declarations when the pages are built (`pipeline/script-types.ts`). */
declare module '*/script.d.ts?members' {
  export interface DeclaredMember {
    readonly name: string;
    /** The declaration in one line, without `readonly`. */
    readonly code: string;
    /** The comment of the declaration; empty without one. */
    readonly text: string;
    readonly isMethod: boolean;
    /** Names of the types that together describe an object which a call takes as an argument. */
    readonly takes: readonly string[];
    /** Names of the types that together describe what a property has, or what a call resolves to. */
    readonly gives: readonly string[];
  }

  /** The members of each type, by its name. A type without a name has that of its member: `Svc.getIntegration`. */
  const types: Readonly<Record<string, readonly DeclaredMember[]>>;
  export default types;
}
