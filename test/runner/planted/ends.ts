describe('a planted file', () => {
  it('ends its process', () => process.exit(3));
});
