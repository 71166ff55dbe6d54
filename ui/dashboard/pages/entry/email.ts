/** A loose pattern of e-mail addresses: only sending something to an address shows whether it exists. */
export const EMAIL = /^[^@\s]+@[^@\s]+$/;
