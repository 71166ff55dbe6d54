interface SvcOptions {
  /** Base URL of the service. Default: where the script came from. */
  readonly host?: string;
}

/** Opens the window in which people connect their accounts. */
export class Svc {
  readonly host: string | undefined;

  constructor({ host }: SvcOptions = {}) {
    this.host = host;
  }
}
