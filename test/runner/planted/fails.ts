describe('a planted file', () => {
  it('fails', () => {
    throw new Error('as planted');
  });
});
