/** A loose pattern of e-mail addresses: only sending a message to an address shows whether it exists. */
export const EMAIL = /^[^@\s]+@[^@\s]+$/;
