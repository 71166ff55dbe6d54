describe('a planted file', () => {
  it('passes', () => undefined);
});
