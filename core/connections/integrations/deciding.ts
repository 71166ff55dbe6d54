/** What of a new or changed integration decides where credentials go. */
export interface DecidingSettings {
  /** Names of such settings that were given. */
  readonly hosts: readonly string[];
  /** Whether the key was that of another integration before, so that applications may still send users there. */
  readonly isUsedKey: boolean;
  /** Whether the client that users authorize is given. */
  readonly hasOwnApp: boolean;
  readonly hasConnections: boolean;
}

/** Throws if the caller may not decide that. */
export type Authorize = (deciding: DecidingSettings) => void;
