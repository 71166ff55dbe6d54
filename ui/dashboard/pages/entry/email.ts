/** Whether it is one is known when something has been sent to it. */
export const EMAIL = /^[^@\s]+@[^@\s]+$/;
