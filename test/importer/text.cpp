// SPDX-License-Identifier: BSL-1.0
#include "expect.hpp"

import axial;

using axial::Dim;
using Mesh = axial::Mesh<Dim<"dp", 2>, Dim<"tp", 4>>;

int main() {
  // NameView
  constexpr auto names = Mesh::names();
  constexpr axial::NameView tp = names[1];
  EXPECT(tp == "tp" && "tp" == tp && tp != "dp" && names[0] != tp && tp == axial::fixed_string("tp"));
  EXPECT(tp.size() == 2 && !tp.empty() && tp[0] == 't' && tp.data()[1] == 'p');
  unsigned letters = 0;
  for (const char letter : tp) letters += letter == 't' || letter == 'p';
  EXPECT(letters == 2);
  printf("%.*s\n", static_cast<int>(tp.size()), tp.data());

  // Text
  const auto text = axial::to_string(Mesh{});
  EXPECT(text == "Mesh(dp=2, tp=4)" && "Mesh(dp=2, tp=4)" == text && text == axial::to_string(Mesh{}) &&
         text != "Mesh()");
  EXPECT(text.size() == 16 && text[0] == 'M' && !text.empty() && axial::to_string(tp) == "tp");
  axial::Text copy = text;
  copy = axial::to_string(Mesh::shape());
  EXPECT(copy == "[2, 4]" && copy != text);
  printf("%s %s\n", text.c_str(), copy.data());
  return 0;
}
