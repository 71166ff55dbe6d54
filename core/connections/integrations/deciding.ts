/** The settings of a new or changed integration that decide to which hosts credentials are sent. */
export interface DecidingSettings {
  /** Names of the new or changed settings that decide where credentials are sent. */
  readonly hosts: readonly string[];
  /** True when the key belonged to another integration before, so that applications may still send users there. */
  readonly isUsedKey: boolean;
  /** True when the request sets the client that users authorize. */
  readonly hasOwnApp: boolean;
  readonly hasConnections: boolean;
}

/** Throws if the caller may not decide where credentials are sent. */
export type Authorize = (deciding: DecidingSettings) => void;
