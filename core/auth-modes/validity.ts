interface Dated {
  readonly receivedAt: string;
  readonly expiresAt?: string;
}

interface Validity {
  readonly expiresAt?: Date;
  readonly receivedAt: Date;
  readonly refreshable: boolean;
}

/** As the stored dates say. @param refreshable whether the credentials can be renewed without the user */
export function validityOf({ receivedAt, expiresAt }: Dated, refreshable = false): Validity {
  return {
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
    receivedAt: new Date(receivedAt),
    refreshable,
  };
}
