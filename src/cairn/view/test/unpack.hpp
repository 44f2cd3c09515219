// Reads what quantise*.cpp writes, as the page does (apps/viewer/src/data/): for tests.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/view/quantise_bodies.hpp"
#include "cairn/view/quantise_contacts.hpp"

namespace cairn::view::test {

class StreamReader {
 public:
  explicit StreamReader(std::string_view bytes) : bytes_(bytes) {}

  int byte() { return at_ < bytes_.size() ? static_cast<unsigned char>(bytes_[at_++]) : 255; }
  Integers stream(std::size_t count) {
    const int planes = byte();
    EXPECT_LE(planes, 6);
    EXPECT_LE(at_ + static_cast<std::size_t>(planes) * count, bytes_.size());
    Integers out(count);
    for (int p = 0; p < planes; ++p)
      for (auto& v : out) v |= std::int64_t{byte()} << (8 * p);
    for (auto& v : out) v = v % 2 == 0 ? v / 2 : -(v + 1) / 2;
    return out;
  }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

using Columns = std::vector<Integers>;

// `first`: null where the first frame itself is read.
inline Columns body_columns(std::string_view bytes, std::size_t frames, std::size_t bodies, int dimension,
                            const Columns* first) {
  StreamReader reader(bytes);
  Columns out;
  for (std::size_t c = 0; c < (dimension == 2 ? 6u : 13u); ++c) {
    const int form = reader.byte();
    EXPECT_LE(form, 2);
    Integers v = reader.stream(frames * bodies);
    for (std::size_t f = 0; f < frames; ++f)
      for (std::size_t b = 0; b < bodies; ++b) {
        const std::size_t at = f * bodies + b;
        if (form > 0 && f > 0)
          v[at] += form > 1 && f > 1 ? 2 * v[at - bodies] - v[at - 2 * bodies] : v[at - bodies];
        else if (first && c < (dimension == 2 ? 3u : 7u))
          v[at] += (*first)[c][b];
      }
    out.push_back(std::move(v));
  }
  EXPECT_TRUE(reader.at_end());
  return out;
}

inline Places places_of(const Columns& c, std::size_t f, std::size_t bodies, const Grid& grid) {
  Places out{std::vector<float>(3 * bodies), std::vector<float>(4 * bodies), std::vector<float>(3 * bodies),
             std::vector<float>(3 * bodies)};
  const auto d = static_cast<std::size_t>(grid.dimension);
  for (std::size_t b = 0; b < bodies; ++b) {
    const std::size_t at = f * bodies + b;
    for (std::size_t i = 0; i < d; ++i)
      out.x[3 * b + i] = static_cast<float>(static_cast<double>(c[i][at]) * grid.place);
    std::size_t next = d;
    if (d == 2) {
      const double half = static_cast<double>(c[next++][at]) * grid.turn / 2;
      out.r[4 * b + 2] = static_cast<float>(std::sin(half)), out.r[4 * b + 3] = static_cast<float>(std::cos(half));
    } else {
      double norm = 0;
      for (std::size_t i = 0; i < 4; ++i) norm = std::hypot(norm, static_cast<double>(c[next + i][at]));
      for (std::size_t i = 0; i < 4; ++i)
        out.r[4 * b + i] = static_cast<float>(static_cast<double>(c[next++][at]) / norm);
    }
    for (std::size_t i = 0; i < d; ++i) out.u[3 * b + i] = float_of(c[next++][at]);
    for (std::size_t i = d == 2 ? 2 : 0; i < 3; ++i) out.w[3 * b + i] = float_of(c[next++][at]);
  }
  return out;
}

// Contacts of each frame of a group.
inline std::vector<Touches> contact_frames(std::string_view bytes, std::size_t frames, const Grid& grid) {
  StreamReader reader(bytes);
  const Integers count = reader.stream(frames);
  std::size_t all = 0, with_next = 0, news = 0;
  for (std::size_t f = 0; f < frames; ++f) {
    all += static_cast<std::size_t>(count[f]);
    if (f + 1 < frames) with_next = all;
  }
  const Integers gone = reader.stream(with_next), fresh = reader.stream(frames);
  for (const std::int64_t n : fresh) news += static_cast<std::size_t>(n);
  const Integers first = reader.stream(news), second = reader.stream(news);

  std::vector<std::array<std::int64_t, 2>> body;
  std::vector<std::int64_t> before;
  std::size_t g = 0, n = 0, begin = 0;
  for (std::size_t f = 0; f < frames; ++f) {
    const std::size_t end = body.size();
    std::vector<std::size_t> stayed;
    for (std::size_t k = begin; k < end; ++k)
      if (gone[g++] == 0) stayed.push_back(k);
    std::size_t s = 0;
    std::int64_t at = 0;
    const auto keep = [&](std::size_t k) {
      const auto pair = body[k];
      body.push_back(pair), before.push_back(static_cast<std::int64_t>(k));
    };
    for (std::int64_t i = 0; i < fresh[f]; ++i, ++n) {
      at += first[n];
      const std::array<std::int64_t, 2> pair{at, at + second[n]};
      while (s < stayed.size() && body[stayed[s]] <= pair) keep(stayed[s++]);
      body.push_back(pair), before.push_back(-1);
    }
    while (s < stayed.size()) keep(stayed[s++]);
    EXPECT_EQ(static_cast<std::int64_t>(body.size() - end), count[f]);
    begin = end;
  }

  const auto d = static_cast<std::size_t>(grid.dimension);
  std::vector<Integers> columns;
  for (std::size_t c = 0; c < 4 * d + 3; ++c) {
    const bool changes = reader.byte() == 1;
    columns.push_back(reader.stream(all));
    for (std::size_t k = 0; changes && k < all; ++k)
      if (before[k] >= 0) columns[c][k] += columns[c][static_cast<std::size_t>(before[k])];
  }
  EXPECT_TRUE(reader.at_end());
  std::vector<Touches> out(frames);
  for (std::size_t f = 0, k = 0; f < frames; ++f)
    for (std::int64_t i = 0; i < count[f]; ++i, ++k) {
      Touches& t = out[f];
      for (const std::int64_t b : body[k]) t.body.push_back(static_cast<std::uint32_t>(b));
      const auto number = [&](std::size_t c) { return columns[c][k]; };
      for (std::size_t j = 0; j < 3; ++j) {
        const bool in = j < d;
        t.point.push_back(in ? static_cast<float>(static_cast<double>(number(j)) * grid.place) : 0);
        t.normal.push_back(in ? static_cast<float>(static_cast<double>(number(d + j)) / unit_scale) : 0);
        t.impulse.push_back(in ? float_of(number(2 * d + j)) : 0);
        t.velocity.push_back(in ? float_of(number(3 * d + j)) : 0);
      }
      t.gap.push_back(float_of(number(4 * d)));
      const std::int64_t use = number(4 * d + 1);
      t.use.push_back(use == use_unknown ? NAN : static_cast<float>(static_cast<double>(use) / use_scale));
      t.status.push_back(static_cast<std::uint8_t>(number(4 * d + 2)));
    }
  return out;
}

// The bytes behind a blob's text.
inline std::string unpacked(std::string_view text) {
  const auto digit = [](char c) {
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
  };
  std::string packed;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    if (c == '=') break;
    EXPECT_GE(digit(c), 0) << c;
    bits = bits << 6 | static_cast<std::uint32_t>(digit(c)), held += 6;
    if (held < 8) continue;
    held -= 8;
    packed += static_cast<char>(bits >> held & 0xFF);
  }
  std::string out;
  for (std::size_t size = 8 * packed.size() + 1024;; size *= 4) {
    out.resize(size);
    uLongf length = size;
    const int status = uncompress(reinterpret_cast<Bytef*>(out.data()), &length,
                                  reinterpret_cast<const Bytef*>(packed.data()), packed.size());
    if (status == Z_BUF_ERROR && size < (std::size_t{1} << 30)) continue;
    EXPECT_EQ(status, Z_OK);
    out.resize(status == Z_OK ? length : 0);
    return out;
  }
}

// The text of a blob in a page; fails where there is none.
inline std::string_view blob_text(std::string_view html, const std::string& name) {
  const std::string head = "<script type=\"text/plain\" class=\"cairn-blob\" data-name=\"" + name + "\">";
  const std::size_t at = html.find(head);
  EXPECT_NE(at, std::string_view::npos) << name;
  if (at == std::string_view::npos) return {};
  const std::size_t from = at + head.size();
  return html.substr(from, html.find("</script>", from) - from);
}

}  // namespace cairn::view::test
