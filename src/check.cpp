// SPDX-License-Identifier: BSL-1.0
module axial;

namespace axial {

void throw_config_error(TextSink& text) { throw ConfigError(text.take()); }

}  // namespace axial
