/** One of several accounts, sites or workspaces. */
export interface ChoiceOption {
  readonly id: string;
  /** What the user reads. */
  readonly label: string;
}

/** The user has to choose before the connection can be stored. Nothing is stored yet. */
export class ChoiceNeeded extends Error {
  override readonly name = 'ChoiceNeeded';
  readonly options: readonly ChoiceOption[];

  constructor(options: readonly ChoiceOption[]) {
    super('the user has to choose one of several');
    this.options = options;
  }
}
