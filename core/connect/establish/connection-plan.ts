import type { JsonObject } from '#contract';
import type { ModeInput, StoredCredentials } from '../../auth-modes/auth-mode.ts';
import type { Connection } from '../../connections/connection.ts';
import type { ConnectionChange } from '../../connections/connection-change-store.ts';
import type { Integration } from '../../connections/integrations/integration.ts';
import type { Operation } from '../../journal/operation-log/activity.ts';
import type { AuthWarning } from '../../webhook-delivery/auth-message.ts';

/** How one of several accounts, sites or workspaces is chosen. */
export interface Choice {
  /** The ID of the chosen one; undefined: not chosen yet. */
  readonly id?: string | undefined;
  /** True if the user can be asked: if a choice is then needed, the plan is not admitted, and the choice is returned instead. */
  readonly canAsk: boolean;
}

/** A connection to create or reauthorize, with credentials that have not been verified yet. */
export interface ConnectionPlan {
  readonly integration: Integration;
  /** The input of the auth mode; its configuration is the one with which the provider and the plugin are called. */
  readonly input: ModeInput;
  readonly connectionId: string;
  /** The connection with that ID, if there is one. */
  readonly existing: Connection | undefined;
  /** The behaviour if the ID is in use. `refuse`: the error `conflict`; `override`: that connection gets the credentials. */
  readonly whenTaken: 'refuse' | 'override';
  readonly credentials: StoredCredentials;
  /** The configuration that this authorization or import adds. */
  readonly addedConfig: JsonObject;
  /** The configuration that takes precedence over everything that the provider or the plugin discovers. */
  readonly fixedConfig: JsonObject;
  /** Returns the attributes set by the application. @throws ServiceError `invalid_body` if there would be too many tags */
  attributes(current: Connection | undefined): ConnectionChange;
  /** Who verifies the credentials besides the integration's script: the provider and its plugin, the plugin alone, or nobody. */
  readonly proof: 'provider' | 'plugin' | 'none';
  /**
   * Set if a user reauthorizes `existing`. Absent: the new credentials replace the previous ones without a check of the account, as
   * in an import.
   */
  readonly reauthorization?: { readonly allowsAccountChange: boolean } | undefined;
  /** The choice for the definition's `discover.choose`. */
  readonly choice?: Choice | undefined;
  /** True if the application is to be sent an auth webhook, provided that its environment enables them. */
  readonly notify: boolean;
  /** Adds a message to the operation's log entry; messages that come before the entry has begun are kept for it. */
  readonly note: Operation['note'];
  beginOperation(kind: 'creation' | 'override'): Operation;
}

/** A connection that was created or reauthorized. */
export interface Established {
  readonly connection: Connection;
  readonly warning?: AuthWarning | undefined;
}

/** A plan that was admitted, with the configuration and the account to write. */
export interface AdmittedPlan extends ConnectionPlan {
  readonly connectionConfig: JsonObject;
  readonly secretConfig: JsonObject;
  readonly providerAccount: Connection['providerAccount'];
}

/** One of several accounts, sites or workspaces. */
export interface ChoiceOption {
  readonly id: string;
  /** The text that the user sees. */
  readonly label: string;
}

/** Thrown or returned when the user has to choose before the connection can be stored. Nothing is stored yet. */
export class ChoiceNeeded extends Error {
  override readonly name = 'ChoiceNeeded';
  readonly options: readonly ChoiceOption[];

  constructor(options: readonly ChoiceOption[]) {
    super('the user has to choose one of several');
    this.options = options;
  }
}
